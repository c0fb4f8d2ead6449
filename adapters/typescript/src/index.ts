/**
 * The Claude Agent SDK's `SessionStore`, kept by Bygone.
 *
 * Speaks to `bygone serve` with `fetch` alone. Entries come back as they were appended, in order; one whose `uuid` the
 * transcript has already is not added again. Summaries are folded here and written with the entries that they go with.
 */

import { foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import type {
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
} from "@anthropic-ai/claude-agent-sdk";

/** What a server refused, or could not do. */
export class BygoneError extends Error {
  constructor(
    /** What went wrong, in one word, such as `conflict`. */
    readonly code: string,
    message: string,
    /** The HTTP status; 0 where no answer came. */
    readonly status = 0,
  ) {
    super(`${message} (${code})`);
    this.name = "BygoneError";
  }
}

/** Where transcripts are kept. */
export interface BygoneOptions {
  /** The space; everything in it is apart from other spaces. */
  space?: string;
  /** The API key, where the server wants one. */
  key?: string;
  /** How many milliseconds an operation may take. */
  timeoutMs?: number;
}

/** As of when a transcript is asked for. */
export interface AsOf {
  /** A time, such as `2026-03-01` (its end) or `2026-03-01T12:00:00Z`. */
  known?: string;
  /** A commit. */
  recorded?: number;
}

interface Summary {
  session_id: string;
  mtime: number;
  data: SessionSummaryEntry["data"];
  version: number;
}

interface Page {
  next: string | null;
  [rows: string]: unknown;
}

const PAUSES_MS = [100, 400];
const TRIES = 50;
const REMEMBERED = 1024;

/** Transcripts of sessions in a space of a Bygone server. */
export class BygoneSessionStore implements SessionStore {
  private readonly headers: Record<string, string>;
  private readonly timeoutMs: number;
  private readonly summaries = new Map<string, Summary | null>();
  private readonly waiting = new Map<string, Promise<void>>();

  constructor(
    private readonly baseUrl: string,
    options: BygoneOptions = {},
  ) {
    this.headers = { "Content-Type": "application/json", "Bygone-Space": options.space ?? "default" };
    if (options.key !== undefined) this.headers["Authorization"] = `Bearer ${options.key}`;
    this.timeoutMs = options.timeoutMs ?? 60_000;
  }

  /** Adds entries to a transcript, in the order in which this is called. */
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await this.inTurn(JSON.stringify(named(key)), async () => {
      const body: Record<string, unknown> = { key: named(key), entries };
      // What has no uuid would be added twice if an answer was lost and the request sent again.
      const once = entries.some((entry) => typeof entry.uuid !== "string");
      if (key.subpath) await this.call("append", body, once);
      else await this.appendMain(key, entries, body, once);
    });
  }

  /** Returns the entries of a transcript; `null` where it was never written, or was deleted. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    return this.loadAsOf(key, {});
  }

  /** Returns a transcript as it was. */
  async loadAsOf(key: SessionKey, asOf: AsOf): Promise<SessionStoreEntry[] | null> {
    const entries: SessionStoreEntry[] = [];
    let recorded = asOf.recorded;
    let from = 0;
    for (;;) {
      const body = { key: named(key), from, as_of: { known: asOf.known, recorded } };
      const part = (await this.read("load", body, null)) as {
        entries: SessionStoreEntry[];
        next: number | null;
        recorded: number;
      } | null;
      if (part === null) return null;
      entries.push(...part.entries);
      if (part.next === null) return entries;
      // What comes next is of the same transcript, whatever is appended meanwhile.
      from = part.next;
      recorded = part.recorded;
    }
  }

  /** Returns the sessions of a project with their modified times in milliseconds. */
  async listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> {
    const rows = await this.all("list_sessions", { project_key: projectKey }, "sessions");
    return (rows as Array<{ session_id: string; mtime: number }>).map((row) => ({
      sessionId: row.session_id,
      mtime: row.mtime,
    }));
  }

  /** Returns the summaries of a project's sessions. */
  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const rows = await this.all("list_session_summaries", { project_key: projectKey }, "summaries");
    return (rows as Summary[]).map(entryOf);
  }

  /** Deletes a transcript, and with a main one all others of its session. What it was stays in its history. */
  async delete(key: SessionKey): Promise<void> {
    await this.inTurn(JSON.stringify(named(key)), async () => {
      this.summaries.delete(sessionOf(key));
      await this.read("delete", { key: named(key) }, null);
    });
  }

  /** Returns the subpaths of a session. */
  async listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    return (await this.all("list_subkeys", { key: named(key) }, "subpaths")) as string[];
  }

  /** Makes another transcript that starts with the entries of one, copying none. Returns how many it has. */
  async fork(
    from: SessionKey,
    to: SessionKey,
    options: AsOf & { entries?: number; subkeys?: boolean } = {},
  ): Promise<number> {
    const { known, recorded, entries, subkeys } = options;
    const body = { from: named(from), to: named(to), entries, subkeys, as_of: { known, recorded } };
    return ((await this.call("fork", body, true)) as { entries: number }).entries;
  }

  private async appendMain(
    key: SessionKey,
    entries: SessionStoreEntry[],
    body: Record<string, unknown>,
    once: boolean,
  ): Promise<void> {
    const session = sessionOf(key);
    for (let tries = 0; tries < TRIES; tries++) {
      const before = await this.summary(session, key);
      const folded = foldSessionSummary(before ? entryOf(before) : undefined, key, entries);
      body["summary"] = { data: folded.data, folded_from: before?.version ?? 0 };
      try {
        const done = (await this.call("append", body, once)) as {
          appended: number;
          mtime: number;
          summary_version: number;
        };
        if (done.appended === 0) this.summaries.delete(session);
        else
          this.remember(session, {
            session_id: key.sessionId,
            mtime: done.mtime,
            data: folded.data,
            version: done.summary_version,
          });
        return;
      } catch (error) {
        this.summaries.delete(session);
        if (!(error instanceof BygoneError && error.code === "conflict")) throw error;
      }
    }
    throw new BygoneError("conflict", `others keep changing the summary of ${key.sessionId}`, 409);
  }

  private async summary(session: string, key: SessionKey): Promise<Summary | null> {
    const remembered = this.summaries.get(session);
    if (remembered !== undefined) return remembered;
    const main = { projectKey: key.projectKey, sessionId: key.sessionId };
    const found = (await this.read("get_session_summary", { key: named(main) }, null)) as Summary | null;
    this.remember(session, found);
    return found;
  }

  private remember(session: string, summary: Summary | null): void {
    this.summaries.delete(session);
    this.summaries.set(session, summary);
    for (const oldest of this.summaries.keys()) {
      if (this.summaries.size <= REMEMBERED) break;
      this.summaries.delete(oldest);
    }
  }

  /** Does what concerns one key in the order in which it is asked for. */
  private async inTurn(key: string, act: () => Promise<void>): Promise<void> {
    const before = this.waiting.get(key) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(act);
    this.waiting.set(key, mine);
    try {
      await mine;
    } finally {
      if (this.waiting.get(key) === mine) this.waiting.delete(key);
    }
  }

  private async all(operation: string, body: object, rows: string): Promise<unknown[]> {
    const found: unknown[] = [];
    let after: string | null = null;
    do {
      const page = (await this.read(operation, { ...body, after }, { [rows]: [], next: null })) as Page;
      found.push(...(page[rows] as unknown[]));
      after = page.next;
    } while (after !== null);
    return found;
  }

  private async read(operation: string, body: object, otherwise: unknown): Promise<unknown> {
    try {
      return await this.call(operation, body, false);
    } catch (error) {
      // Nothing was ever written into the space.
      if (error instanceof BygoneError && error.code === "no_space") return otherwise;
      throw error;
    }
  }

  private async call(operation: string, body: object, once: boolean): Promise<unknown> {
    const url = `${this.baseUrl.replace(/\/+$/, "")}/v1/session-store/${operation}`;
    const headers = once ? { ...this.headers, "Idempotency-Key": crypto.randomUUID() } : this.headers;
    const content = JSON.stringify(body);
    for (let tries = 0; ; tries++) {
      const pause = PAUSES_MS[tries];
      try {
        const signal = AbortSignal.timeout(this.timeoutMs);
        const response = await fetch(url, { method: "POST", headers, body: content, signal });
        if (response.status !== 503 || pause === undefined) return await resultOf(response);
      } catch (error) {
        if (error instanceof BygoneError) throw error;
        if (pause === undefined) throw new BygoneError("unreachable", String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function resultOf(response: Response): Promise<unknown> {
  const text = await response.text();
  let answer: { result?: unknown; error?: { code?: string; message?: string } };
  try {
    answer = JSON.parse(text);
  } catch {
    throw new BygoneError("no_json", `the server answered no JSON: ${text.slice(0, 200)}`, response.status);
  }
  if (answer !== null && typeof answer === "object" && "result" in answer) return answer.result;
  throw new BygoneError(
    answer?.error?.code ?? "unknown",
    answer?.error?.message ?? text.slice(0, 200),
    response.status,
  );
}

function named(key: SessionKey): object {
  const main = { project_key: key.projectKey, session_id: key.sessionId };
  return key.subpath ? { ...main, subpath: key.subpath } : main;
}

function sessionOf(key: SessionKey): string {
  return JSON.stringify([key.projectKey, key.sessionId]);
}

function entryOf(summary: Summary): SessionSummaryEntry {
  return { sessionId: summary.session_id, mtime: summary.mtime, data: summary.data };
}
