// OpenClaw's agents remember: recall before a prompt is built, capture when a turn has ended.

import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { type Turn, ask } from "./hook.ts";

const COMMAND = "neomem-hook";
const TIMEOUT_MS = 10_000;
const GRACE_MS = 1_000;

export default {
  id: "neomem",
  name: "neomem",
  description: "Recalls before a prompt and remembers after a turn.",
  register(api: OpenClawPluginApi): void {
    const { command = COMMAND, timeoutMs = TIMEOUT_MS } = (api.pluginConfig ?? {}) as {
      command?: string;
      timeoutMs?: number;
    };
    const tell = (reason: string) => api.logger.warn(`neomem: ${reason}`);
    const limits = { timeoutMs: timeoutMs + GRACE_MS };

    api.on(
      "before_prompt_build",
      async (event, context) => {
        const prompt = event.currentUserMessage ?? event.prompt;
        if (!prompt.trim() || context.trigger === "heartbeat") return undefined;
        const asked = { event: "recall" as const, prompt, ...session(context) };
        const { context: recalled } = await ask(command, asked, timeoutMs, tell);
        return typeof recalled === "string" && recalled ? { prependContext: recalled } : undefined;
      },
      limits,
    );

    api.on(
      "agent_end",
      async (event, context) => {
        if (!event.success || context.trigger === "heartbeat") return;
        const turns = lastExchange(event.messages, event.runId ?? context.runId);
        if (!turns.length) return;
        await ask(command, { event: "capture", turns, ...session(context) }, timeoutMs, tell);
      },
      limits,
    );
  },
};

function session(context: { sessionId?: string; sessionKey?: string }): { session?: string } {
  const id = context.sessionId ?? context.sessionKey;
  return id ? { session: id } : {};
}

/** What the person said last and all that was answered; earlier turns were captured before. */
export function lastExchange(messages: readonly unknown[], run: string | undefined): Turn[] {
  const said = messages.map(turn);
  const begin = said.findLastIndex((each) => each?.role === "user");
  return said
    .slice(Math.max(begin, 0))
    .filter((each) => each !== undefined)
    .map((each, number) => (run ? { ...each, id: `${run}-${number}` } : each));
}

function turn(message: unknown): Turn | undefined {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  if (role !== "user" && role !== "assistant") return undefined;
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const text = parts.map(textOf).filter(Boolean).join("\n").trim();
  return text ? { role, text } : undefined;
}

function textOf(part: unknown): string {
  if (typeof part === "string") return part;
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string" ? text : "";
}
