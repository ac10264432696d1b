// The page for the fridge has one button: it prints.

document.querySelector("button").addEventListener("click", () => print());
