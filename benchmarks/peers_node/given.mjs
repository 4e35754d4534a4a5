// What the Python side hands over: the steps that went before, and those that come next.
import { readFileSync } from "node:fs";

export const given = JSON.parse(readFileSync(0, "utf8"));
export const ARGUMENTS = '{"command": "ls"}';
export const outputText = (op) => `output of ${op.id}`;
