/** Dual memory of every agent: which folders, which scope, when. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Detector } from "../detection/detector.ts";
import { Projection } from "../memory/projection.ts";
import { type MemoryPair, MemorySync, type MemorySyncReport } from "../memory/sync.ts";
import { memoryScope } from "../vault-store/conversation.ts";
import type { VaultStore } from "../vault-store/store.ts";

export interface MemoryServiceDeps {
  enabled: () => boolean;
  /** Workspaces by agent as the configuration has them; those that turns tell come on top. */
  configured?: () => ReadonlyMap<string, string>;
  dataDir: string;
  vault: () => VaultStore;
  detector: () => Detector;
  warn: (message: string) => void;
}

/** How long a look at the files is good for, in milliseconds. */
const FRESH_MS = 100;

export class MemoryService {
  private readonly deps: MemoryServiceDeps;
  /** Workspaces seen, by agent: the host tells them turn by turn. */
  private readonly workspaces = new Map<string, string>();
  /** What each file was at the last look. */
  private readonly seen = new Map<string, string>();
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: MemoryServiceDeps) {
    this.deps = deps;
  }

  note(agentId: string | undefined, workspaceDir: string | undefined): void {
    if (agentId !== undefined && workspaceDir !== undefined) this.workspaces.set(agentId, workspaceDir);
  }

  workspaceOf(agentId: string | undefined): string | undefined {
    return this.workspaces.get(agentId ?? "main");
  }

  /** Where an agent's full memory is. */
  fullDir(agentId: string): string {
    return path.join(this.deps.dataDir, "memory", encodeURIComponent(agentId));
  }

  /**
   * Takes in what changed in any agent's memory files since the last look. An index and dreaming send them in pieces,
   * with no turn before: the middle of a key without its first line is known only to who has seen the whole.
   */
  freshen(): void {
    // Not the time of day: a clock that is put back must not keep anything from being looked at.
    const now = performance.now();
    if (now - this.lookedAt < FRESH_MS || !this.deps.enabled()) return;
    this.lookedAt = now;
    for (const [agentId, workspaceDir] of new Map([
      ...(this.deps.configured?.() ?? []),
      ...this.workspaces,
    ])) {
      this.sync(agentId, workspaceDir, (pair) => this.seen.get(pair.clean) !== signature(pair));
    }
  }

  /** Brings both sides together; conflicts go to the log. Never throws. */
  sync(
    agentId: string,
    workspaceDir = this.workspaceOf(agentId),
    wanted?: (pair: MemoryPair) => boolean,
  ): MemorySyncReport[] {
    if (!this.deps.enabled() || workspaceDir === undefined) return [];
    try {
      const memory = this.of(agentId, workspaceDir);
      const taken: MemoryPair[] = [];
      const reports = memory.sync((pair) => {
        const take = wanted === undefined || wanted(pair);
        if (take) taken.push(pair);
        return take;
      });
      for (const pair of taken) this.seen.set(pair.clean, signature(pair));
      for (const { name, conflicts, skipped, remade } of reports) {
        if (remade === true)
          this.deps.warn(
            `memory ${name}: its full side in ${this.fullDir(agentId)} was gone and was made anew; to delete a memory, delete it in the workspace`,
          );
        if (skipped !== undefined) this.deps.warn(`memory ${name} was left as it is: ${skipped}`);
        if (conflicts.length === 0) continue;
        this.deps.warn(
          `memory ${name}: both sides changed line ${conflicts.map((c) => c.line).join(", ")}; both versions are kept there, in ${path.join(workspaceDir, name)}`,
        );
      }
      return reports;
    } catch (error) {
      this.deps.warn(
        `memory of ${agentId} was not synchronised: ${error instanceof Error ? error.message : String(error)}`,
      );
      return [];
    }
  }

  diff(agentId: string, workspaceDir: string): MemorySyncReport[] {
    return this.of(agentId, workspaceDir).diff();
  }

  /**
   * An agent's MEMORY.md as a turn may see it.
   * @param local a local turn reads the full text, any other the clean one with the session's own placeholders
   * @returns undefined when there is none, or none that can be read: what the host has read then stays. Never throws.
   */
  text(agentId: string, workspaceDir: string, session: string, local: boolean): string | undefined {
    if (!this.deps.enabled()) return undefined;
    try {
      const full = this.of(agentId, workspaceDir).fullMemory();
      if (full === undefined || local) return full;
      return new Projection(this.deps.vault().vault, this.deps.detector, session).clean(full);
    } catch (error) {
      // A file that is no text must not take the rest of the turn's preparation with it.
      this.deps.warn(
        `memory of ${agentId} was left as it is: ${error instanceof Error ? error.message : String(error)}`,
      );
      return undefined;
    }
  }

  private of(agentId: string, workspaceDir: string): MemorySync {
    const vault = this.deps.vault();
    return new MemorySync(
      { workspaceDir, fullDir: this.fullDir(agentId) },
      new Projection(vault.vault, this.deps.detector, memoryScope(agentId)),
      { get: (key) => vault.getMeta(key), set: (key, text, tokens) => vault.setBase(key, text, tokens) },
    );
  }
}

/** Changes when either side of a pair does. */
function signature({ clean, full }: MemoryPair): string {
  return [clean, full]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found === undefined ? "none" : `${found.mtimeMs} ${found.size} ${found.ino}`;
    })
    .join(" ");
}
