// Vercel's readUIMessageStream: one message, copied whole behind every chunk.
import { readUIMessageStream } from "ai";
import { ARGUMENTS, given, outputText } from "./given.mjs";

const texts = new Map();

function part(op) {
  if (op.op === "call") {
    const input = JSON.parse(ARGUMENTS);
    const output = outputText(op);
    return [{ type: "dynamic-tool", toolName: "exec", toolCallId: op.id, state: "output-available", input, output }];
  }
  if (op.op === "open") texts.set(op.id, { type: "text", text: "", state: "done" });
  if (op.op === "delta") texts.get(op.id).text += op.text;
  return op.op === "open" ? [texts.get(op.id)] : [];
}

function chunk(op) {
  switch (op.op) {
    case "open":
      return { type: "text-start", id: op.id };
    case "delta":
      return { type: "text-delta", id: op.id, delta: op.text };
    case "close":
      return { type: "text-end", id: op.id };
    case "call":
      return { type: "tool-input-available", toolCallId: op.id, toolName: "exec", input: JSON.parse(ARGUMENTS), dynamic: true };
    default:
      return { type: "tool-output-available", toolCallId: op.id, output: outputText(op) };
  }
}

const message = { id: "m", role: "assistant", parts: given.before.flatMap(part) };
const chunks = given.coming.map(chunk);
const stream = new ReadableStream({
  start(controller) {
    chunks.forEach((each) => controller.enqueue(each));
    controller.close();
  },
});
const begin = process.cpuUsage();
let versions = 0;
for await (const _ of readUIMessageStream({ message, stream, terminateOnError: true })) versions += 1;
const { user, system } = process.cpuUsage(begin);
const seconds = (user + system) / 1e6;
if (versions < chunks.length) throw new Error(`${versions} versions behind ${chunks.length} chunks`);
console.log(JSON.stringify({ seconds, events: chunks.length }));
