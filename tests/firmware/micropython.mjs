// Runs firmware on a real MicroPython: node micropython.mjs <folder to load> ... -- <script>
//
// The folders' files go into the interpreter's own file system. Descriptor 3 is the serial
// line, descriptor 4 brings commands for the fake pins, standard output tells what they do.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const NEWLINE = 10;
const split = process.argv.indexOf("--");
const folders = process.argv.slice(2, split);
const script = process.argv[split + 1];
const live = process.env.LINE === "yes";

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
function stdin() {
  if (!live) return null;
  if (incoming.next >= incoming.length) {
    incoming.length = Math.max(readSome(3, incoming.buffer), 0);
    incoming.next = 0;
    if (incoming.length === 0) return null;
  }
  return incoming.buffer[incoming.next++];
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
function stdout(bytes) {
  if (!live) return writeAll(1, bytes);
  const fits = bytes.slice(0, ROOM - outgoing.length);
  outgoing.push(...fits);
  if (outgoing[outgoing.length - 1] === NEWLINE) drain();
  if (fits.length < bytes.length) {
    rig.sleep(500);
    rig.tell(`cut ${bytes.length - fits.length}`);
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
  tell: (text) => writeAll(1, Buffer.from(`${text}\n`)),
};

const python = await loadMicroPython({ stdin, stdout, linebuffer: false });
python.registerJsModule("rig", rig);

function copy(from, to) {
  for (const name of fs.readdirSync(from)) {
    const source = path.join(from, name);
    if (fs.statSync(source).isDirectory()) {
      if (name === "__pycache__") continue;
      python.FS.mkdir(`${to}/${name}`);
      copy(source, `${to}/${name}`);
    } else {
      python.FS.writeFile(`${to}/${name}`, fs.readFileSync(source));
    }
  }
}
for (const folder of folders) {
  const [from, to] = folder.split("=");
  if (to !== "") python.FS.mkdir(to);
  copy(from, to);
}

try {
  python.runPython(fs.readFileSync(script, "utf8"));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
process.exit(0);
