/** Dual memory of every agent: which folders, which scope, when. */
import path from "node:path";
import type { Detector } from "../detection/detector.ts";
import { Projection } from "../memory/projection.ts";
import { MemorySync, type MemorySyncReport } from "../memory/sync.ts";
import { memoryScope } from "../vault-store/conversation.ts";
import type { VaultStore } from "../vault-store/store.ts";

export interface MemoryServiceDeps {
  enabled: () => boolean;
  dataDir: string;
  vault: () => VaultStore;
  detector: () => Detector;
  warn: (message: string) => void;
}

export class MemoryService {
  private readonly deps: MemoryServiceDeps;
  /** Workspaces seen, by agent: the host tells them turn by turn. */
  private readonly workspaces = new Map<string, string>();

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

  /** Brings both sides together; conflicts go to the log. Never throws. */
  sync(agentId: string, workspaceDir = this.workspaceOf(agentId)): MemorySyncReport[] {
    if (!this.deps.enabled() || workspaceDir === undefined) return [];
    try {
      const reports = this.of(agentId, workspaceDir).sync();
      for (const { name, conflicts } of reports) {
        if (conflicts.length === 0) continue;
        this.deps.warn(
          `memory ${name}: both sides changed line ${conflicts.map((c) => c.line).join(", ")}; both versions are kept, look at: openclaw clawxrouter memory diff`,
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
   */
  text(agentId: string, workspaceDir: string, session: string, local: boolean): string | undefined {
    if (!this.deps.enabled()) return undefined;
    const full = this.of(agentId, workspaceDir).fullMemory();
    if (full === undefined || local) return full;
    return new Projection(this.deps.vault().vault, this.deps.detector, session).clean(full);
  }

  private of(agentId: string, workspaceDir: string): MemorySync {
    const vault = this.deps.vault();
    return new MemorySync(
      { workspaceDir, fullDir: this.fullDir(agentId) },
      new Projection(vault.vault, this.deps.detector, memoryScope(agentId)),
      { get: (key) => vault.getMeta(key), set: (key, text) => vault.setMeta(key, text) },
    );
  }
}
