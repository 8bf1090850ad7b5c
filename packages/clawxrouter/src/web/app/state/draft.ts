/**
 * Unsaved changes of one card. They live outside the component, so that they survive a look at another tab, and lie on
 * top of the newest settings: what somebody else changes elsewhere shows through.
 */
import { type Signal, signal } from "@preact/signals";
import { post } from "../api/client.ts";
import { ApiFault } from "../api/fault.ts";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { apply, combine, type Edit, overlaps } from "./edits.ts";
import { configDocument, loadConfig, type Settings, settings } from "./settings.ts";
import { toast } from "./toasts.ts";

export interface Draft {
  /** The settings with the changes of this draft; undefined until they are loaded. */
  settings: Settings | undefined;
  dirty: boolean;
  busy: boolean;
  fault: unknown;
  /** Set when a save met changes of somebody else in the same places: the user chooses. */
  conflict: readonly Edit[] | undefined;
  edit: (change: (copy: Settings) => void) => void;
  save: () => Promise<void>;
  /** Settles a conflict with these edits, made on top of the newest settings. */
  resolve: (edits: readonly Edit[]) => Promise<void>;
  /** Back to editing, with the conflict still open. */
  reopen: () => void;
  discard: () => void;
}

interface State {
  edits: readonly Edit[];
  busy: boolean;
  fault: unknown;
  conflict: readonly Edit[] | undefined;
}

const CLEAN: State = { edits: [], busy: false, fault: undefined, conflict: undefined };
const drafts = new Map<string, Signal<State>>();

export function anyDirty(): boolean {
  return [...drafts.values()].some((draft) => draft.peek().edits.length > 0);
}

/** @param name of the card; one draft a name */
export function useDraft(name: string): Draft {
  const state = drafts.get(name) ?? signal(CLEAN);
  drafts.set(name, state);
  const { edits, busy, fault, conflict } = state.value;
  const current = settings.value;

  const write = async (wanted: readonly Edit[]): Promise<void> => {
    const document = configDocument.peek();
    if (document === undefined) return;
    state.value = { edits: wanted, busy: true, fault: undefined, conflict: undefined };
    try {
      const raw = apply(document.raw, wanted) as Record<string, unknown>;
      configDocument.value = await post("writeConfig", { version: document.version, raw });
      // What was edited while it was being saved stays, on top of what is saved.
      const { edits: later } = state.peek();
      const now = settings.peek();
      state.value = later === wanted ? CLEAN : { ...CLEAN, edits: combine(now, [], apply(now, later)) };
      toast(say(commonWords).saved);
    } catch (error) {
      state.value = { ...state.peek(), busy: false, fault: error };
      throw error;
    }
  };
  const attempt = async (wanted: readonly Edit[]): Promise<void> => {
    const clash = overlaps(wanted, configDocument.peek()?.effective);
    if (clash.length > 0) {
      state.value = { edits: wanted, busy: false, fault: undefined, conflict: clash };
      return;
    }
    await write(wanted);
  };

  return {
    settings: current === undefined ? undefined : (apply(current, edits) as Settings),
    dirty: edits.length > 0,
    busy,
    fault,
    conflict,
    edit(change) {
      const now = settings.peek();
      if (now === undefined) return;
      const wanted = structuredClone(apply(now, state.peek().edits)) as Settings;
      change(wanted);
      state.value = { ...state.peek(), edits: combine(now, state.peek().edits, wanted), fault: undefined };
    },
    async save() {
      const wanted = state.peek().edits;
      try {
        await attempt(wanted);
      } catch (error) {
        if (!(error instanceof ApiFault) || error.code !== "conflict") return;
        // Somebody was faster. Their change is loaded; ours goes on top unless both touch the same place.
        await loadConfig();
        state.value = { ...state.peek(), fault: undefined };
        await attempt(wanted).catch(() => {});
      }
    },
    async resolve(chosen) {
      const now = configDocument.peek()?.effective;
      const kept = state.peek().edits.filter((edit) => !chosen.some((other) => samePlace(edit, other)));
      // What is chosen starts from what is there now.
      const next = combine(now, [], apply(now, [...kept, ...chosen]));
      if (next.length === 0) {
        state.value = CLEAN;
        return;
      }
      await write(next).catch(() => {});
    },
    reopen() {
      state.value = { ...state.peek(), conflict: undefined };
    },
    discard() {
      state.value = CLEAN;
    },
  };
}

function samePlace(a: Edit, b: Edit): boolean {
  return a.path.length === b.path.length && a.path.every((key, at) => key === b.path[at]);
}

addEventListener("beforeunload", (event) => {
  if (anyDirty()) event.preventDefault();
});
