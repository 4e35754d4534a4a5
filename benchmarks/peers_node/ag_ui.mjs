// AG-UI's defaultApplyEvents: the messages are copied whole for every event.
import { defaultApplyEvents, HttpAgent } from "@ag-ui/client";
import { from } from "rxjs";
import { ARGUMENTS, given, outputText } from "./given.mjs";

const texts = new Map();

function message(op) {
  switch (op.op) {
    case "open":
      texts.set(op.id, { id: op.id, role: "assistant", content: "" });
      return [texts.get(op.id)];
    case "delta":
      texts.get(op.id).content += op.text;
      return [];
    case "call":
      return [{ id: `m_${op.id}`, role: "assistant", toolCalls: [{ id: op.id, type: "function", function: { name: "exec", arguments: ARGUMENTS } }] }];
    case "output":
      return [{ id: `o_${op.id}`, role: "tool", toolCallId: op.id, content: outputText(op) }];
    default:
      return [];
  }
}

function events(op) {
  switch (op.op) {
    case "open":
      return [{ type: "TEXT_MESSAGE_START", messageId: op.id, role: "assistant" }];
    case "delta":
      return [{ type: "TEXT_MESSAGE_CONTENT", messageId: op.id, delta: op.text }];
    case "close":
      return [{ type: "TEXT_MESSAGE_END", messageId: op.id }];
    case "call":
      return [
        { type: "TOOL_CALL_START", toolCallId: op.id, toolCallName: "exec" },
        { type: "TOOL_CALL_ARGS", toolCallId: op.id, delta: ARGUMENTS },
        { type: "TOOL_CALL_END", toolCallId: op.id },
      ];
    default:
      return [{ type: "TOOL_CALL_RESULT", toolCallId: op.id, messageId: `o_${op.id}`, content: outputText(op) }];
  }
}

const messages = given.before.flatMap(message);
const coming = given.coming.flatMap(events);
const input = { threadId: "t", runId: "r", messages, state: {}, tools: [], context: [], forwardedProps: {} };
const agent = new HttpAgent({ url: "http://localhost/", initialMessages: messages });
const begin = process.cpuUsage();
let last = messages;
await new Promise((resolve, reject) => {
  defaultApplyEvents(input, from(coming), agent, []).subscribe({
    next: (mutation) => (last = mutation.messages ?? last),
    error: reject,
    complete: resolve,
  });
});
const { user, system } = process.cpuUsage(begin);
const seconds = (user + system) / 1e6;
if (last.length <= messages.length) throw new Error("the events changed nothing");
console.log(JSON.stringify({ seconds, events: coming.length }));
