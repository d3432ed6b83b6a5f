// The command neomem-hook: one event in, one answer out, never an error.

import { spawn } from "node:child_process";

export type Turn = { role: "user" | "assistant"; text: string; id?: string };

export type Event =
  | { event: "recall"; prompt: string; session?: string }
  | { event: "capture"; session?: string; turns: Turn[] };

export type Answer = { context?: unknown };

const LONGEST_ANSWER = 1_000_000;

/** Run the command on an event; whatever goes wrong, the answer is empty and the reason is told. */
export function ask(
  command: string,
  event: Event,
  timeoutMs: number,
  tell: (reason: string) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let said = "";
    const child = spawn(command, [], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
    const end = (reason?: string) => {
      clearTimeout(limit);
      if (reason) tell(reason);
      resolve(reason ? {} : answer(said, tell));
    };
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      end(`no answer within ${timeoutMs} ms`);
    }, timeoutMs);
    child.on("error", (error) => end(error.message));
    child.on("close", () => end());
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (part: string) => {
      said += part;
      if (said.length > LONGEST_ANSWER) child.kill("SIGKILL");
    });
    // A command that ends before it has read everything breaks the pipe; `close` tells the rest.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(event));
  });
}

function answer(said: string, tell: (reason: string) => void): Answer {
  if (!said.trim()) return {};
  try {
    const read: unknown = JSON.parse(said);
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    tell("the answer is no JSON");
    return {};
  }
}
