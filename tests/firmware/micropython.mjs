// Runs firmware on a real MicroPython: node micropython.mjs <folder to load> ... -- <script>
//
// The folders' files go into the interpreter's own file system. Descriptor 3 is the serial
// line, descriptor 4 brings commands for the fake pins, standard output tells what they do.
//
// With FLASH=<folder> it is a whole Pico instead: the folder is its disk, `main.py` there is run until
// it ends or is interrupted, then comes MicroPython's own prompt, and a reset starts it all again. PRELUDE
// is Python that is run before everything else.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const NEWLINE = 10;
const split = process.argv.indexOf("--");
const folders = process.argv.slice(2, split);
const script = process.argv[split + 1];
const live = process.env.LINE === "yes";
const disk = process.env.FLASH;

function readSome(fd, buffer) {
  try {
    return fs.readSync(fd, buffer);
  } catch (error) {
    if (error.code === "EAGAIN") return -1;
    if (error.code === "EIO") return 0;
    throw error;
  }
}

function writeAll(fd, bytes) {
  try {
    fs.writeSync(fd, bytes);
  } catch (error) {
    if (error.code !== "EAGAIN" && error.code !== "EIO") throw error; // lost, as on USB
  }
}

const incoming = { buffer: Buffer.alloc(4096), length: 0, next: 0 };
let interrupted = false;
const INTERRUPT = 3;
function stdin() {
  if (!live) return null;
  const byte = nextByte();
  if (byte !== INTERRUPT || disk === undefined) return byte;
  interrupted = true;
  return null;
}
function fill() {
  if (incoming.next < incoming.length) return;
  incoming.length = Math.max(readSome(3, incoming.buffer), 0);
  incoming.next = 0;
}
function nextByte() {
  fill();
  return incoming.length === 0 ? null : incoming.buffer[incoming.next++];
}

// A Pico's USB buffer: what does not fit is waited for, and then cut off.
const ROOM = 256;
let outgoing = [];
let deaf = false; // whether whoever is there has stopped reading
function drain() {
  while (!deaf && outgoing.length > 0) {
    try {
      outgoing = outgoing.slice(fs.writeSync(3, Buffer.from(outgoing)));
    } catch (error) {
      if (error.code === "EAGAIN") return; // whoever is there does not read
      if (error.code !== "EIO") throw error;
      outgoing = []; // nobody is there
    }
  }
}
let prompting = false;
function stdout(bytes) {
  if (!live) return writeAll(1, bytes);
  if (prompting) return sayAll(bytes);
  const fits = bytes.slice(0, ROOM - outgoing.length);
  outgoing.push(...fits);
  if (outgoing[outgoing.length - 1] === NEWLINE) drain();
  if (fits.length < bytes.length) {
    rig.sleep(500);
    rig.tell(`cut ${bytes.length - fits.length}`);
  }
}
function sayAll(bytes) {
  let left = Buffer.from(bytes);
  while (left.length > 0) {
    try {
      left = left.subarray(fs.writeSync(3, left));
    } catch (error) {
      if (error.code !== "EAGAIN") return; // nobody is there
      rig.sleep(1);
    }
  }
}
function room() {
  if (outgoing.length === ROOM) drain();
  return ROOM - outgoing.length;
}

let commands = "";
const commandBuffer = Buffer.alloc(4096);
function command() {
  const count = readSome(4, commandBuffer);
  if (count === 0) process.exit(0); // whoever started us is gone
  if (count > 0) commands += commandBuffer.toString("latin1", 0, count);
  const end = commands.indexOf("\n");
  if (end < 0) return "";
  const one = commands.slice(0, end);
  commands = commands.slice(end + 1);
  return one;
}

const never = new Int32Array(new SharedArrayBuffer(4));
const rig = {
  command,
  room,
  deaf: (yes) => void (deaf = Boolean(yes)),
  now: () => Math.floor(performance.now()),
  sleep: (milliseconds) => void Atomics.wait(never, 0, 0, milliseconds),
  random: () => Math.floor(Math.random() * 256),
  // An interrupt is heard also by a program that does not read.
  interrupted: () => {
    if (disk === undefined) return false;
    fill();
    const at = incoming.buffer.subarray(incoming.next, incoming.length).indexOf(INTERRUPT);
    if (at >= 0) incoming.next += at + 1;
    const was = interrupted || at >= 0;
    interrupted = false;
    return was;
  },
  reset: () => (resetting = disk !== undefined), // elsewhere it is only told
  tell: (text) => writeAll(1, Buffer.from(`${text}\n`)),
};

let resetting = false;

async function interpreter() {
  const python = await loadMicroPython({ stdin, stdout, linebuffer: false });
  python.registerJsModule("rig", rig);
  for (const folder of folders) {
    const [from, to] = folder.split("=");
    if (to !== "") python.FS.mkdir(to);
    copy(python, from, to);
  }
  return python;
}

function copy(python, from, to) {
  for (const name of fs.readdirSync(from)) {
    const source = path.join(from, name);
    if (fs.statSync(source).isDirectory()) {
      if (name === "__pycache__") continue;
      python.FS.mkdir(`${to}/${name}`);
      copy(python, source, `${to}/${name}`);
    } else {
      python.FS.writeFile(`${to}/${name}`, fs.readFileSync(source));
    }
  }
}

// What a Pico holds goes to the folder after each order: a plug may be pulled at any time.
const NOT_FLASH = new Set([".", "..", "tmp", "home", "dev", "proc", "fake"]);
function keep(python, from = "", to = disk) {
  const there = python.FS.readdir(from || "/").filter((name) => from || !NOT_FLASH.has(name));
  for (const name of fs.readdirSync(to)) {
    if (!there.includes(name)) fs.rmSync(path.join(to, name), { recursive: true });
  }
  for (const name of there.filter((one) => one !== "." && one !== "..")) {
    const place = `${from}/${name}`;
    if (python.FS.isDir(python.FS.stat(place).mode)) {
      fs.mkdirSync(path.join(to, name), { recursive: true });
      keep(python, place, path.join(to, name));
    } else {
      const data = Buffer.from(python.FS.readFile(place));
      const file = path.join(to, name);
      if (fs.existsSync(file) && fs.readFileSync(file).equals(data)) continue;
      fs.writeFileSync(`${disk}.part`, data); // whole or not at all, as littlefs does
      fs.renameSync(`${disk}.part`, file);
    }
  }
}

// One life of a Pico, from power or a reset to the next reset.
async function live_once() {
  const python = await interpreter();
  copy(python, disk, "");
  python.runPython("import sys\nsys.path.insert(0, '/fake')");
  python.runPython(process.env.PRELUDE ?? "");
  resetting = false;
  prompting = false;
  rig.tell("booted");
  if (python.FS.analyzePath("/main.py").exists) {
    try {
      python.runPython(python.FS.readFile("/main.py", { encoding: "utf8" }));
    } catch (error) {
      sayAll(Buffer.from(`${error.message}\n`));
    }
  }
  prompting = true;
  python.replInit();
  while (!resetting) {
    const byte = nextByte();
    if (byte === null) {
      command();
      rig.sleep(1);
      continue;
    }
    python.replProcessChar(byte);
    if (byte === 4) keep(python);
  }
}

if (disk !== undefined) {
  for (;;) await live_once();
}

const python = await interpreter();
try {
  python.runPython(fs.readFileSync(script, "utf8"));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
process.exit(0);
