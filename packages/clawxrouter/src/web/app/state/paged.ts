import { useCallback, useEffect, useRef, useState } from "preact/hooks";

interface Page<T> {
  items: T[];
  next: string | null;
}

export interface Paged<T> {
  /** Undefined: the first page is not there yet. */
  items: readonly T[] | undefined;
  more: boolean;
  loading: boolean;
  fault: unknown;
  loadMore: () => void;
  /** From the start, with nothing kept. */
  reload: () => void;
  /** The first page anew, with the pages that were loaded after it kept below. */
  refresh: (idOf: (item: T) => string | number) => void;
  /** Puts a new item on top, or in the place of the one that `same` finds. */
  take: (item: T, same: (other: T) => boolean) => void;
}

/** Items kept of a list that grows by itself: a page may stay open for weeks. The rest is loaded when it is asked for. */
const MOST = 500;

/**
 * A list that comes in pages. It starts anew whenever `key` changes.
 * @param load one page from a cursor on
 * @param key what the list depends on, as text
 * @param cursorAfter the cursor that goes on after these items; without it a list that grows by itself is not cut
 */
export function usePaged<T>(
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  key: string,
  cursorAfter?: (items: readonly T[]) => string,
): Paged<T> {
  const [state, setState] = useState<{ items: T[] | undefined; next: string | null; fault: unknown }>({
    items: undefined,
    next: null,
    fault: undefined,
  });
  const [loading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const abort = useRef<AbortController | undefined>(undefined);
  const known = useRef(key);
  const cut = useRef(cursorAfter);
  cut.current = cursorAfter;
  /** What came by itself while the first page was on its way, which may be older than that. */
  const meanwhile = useRef<{ item: T; same: (other: T) => boolean }[]>([]);

  const fetchPage = useCallback((cursor: string | undefined) => {
    abort.current?.abort();
    const controller = new AbortController();
    abort.current = controller;
    meanwhile.current = [];
    setLoading(true);
    latest.current(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        const taken = meanwhile.current;
        abort.current = undefined;
        setState((old) => {
          if (cursor !== undefined)
            return { items: [...(old.items ?? []), ...page.items], next: page.next, fault: undefined };
          const items = taken.reduce((all, { item, same }) => withItem(all, item, same), page.items);
          return { items, next: page.next, fault: undefined };
        });
        setLoading(false);
      },
      (fault: unknown) => {
        if (controller.signal.aborted) return;
        setState((old) => ({ ...old, fault }));
        setLoading(false);
      },
    );
  }, []);
  useEffect(() => {
    if (known.current !== key) setState({ items: undefined, next: null, fault: undefined });
    known.current = key;
    fetchPage(undefined);
    return () => abort.current?.abort();
  }, [key, round]);

  return {
    items: state.items,
    more: state.next !== null,
    loading,
    fault: state.fault,
    loadMore: () => {
      if (state.next !== null) fetchPage(state.next);
    },
    reload: useCallback(() => setRound((old) => old + 1), []),
    refresh: useCallback((idOf: (item: T) => string | number) => {
      const asked = known.current;
      latest.current(undefined, new AbortController().signal).then(
        (page) =>
          setState((old) => {
            if (old.items === undefined || known.current !== asked) return old;
            const fresh = new Set(page.items.map(idOf));
            const rest = old.items.filter((item) => !fresh.has(idOf(item)));
            return {
              items: [...page.items, ...rest],
              next: rest.length > 0 ? old.next : page.next,
              fault: undefined,
            };
          }),
        // The list that is shown stays; the next event tries again.
        () => {},
      );
    }, []),
    take: useCallback((item: T, same: (other: T) => boolean) => {
      if (abort.current !== undefined) meanwhile.current.push({ item, same });
      setState((old) => {
        if (old.items === undefined) return old;
        const items = withItem(old.items, item, same);
        const grown = items.length > old.items.length && items.length > MOST;
        if (!grown || cut.current === undefined) return { ...old, items };
        const kept = items.slice(0, MOST);
        return { ...old, items: kept, next: cut.current(kept) };
      });
    }, []),
  };
}

function withItem<T>(items: readonly T[], item: T, same: (other: T) => boolean): T[] {
  const at = items.findIndex(same);
  return at < 0 ? [item, ...items] : items.map((other, index) => (index === at ? item : other));
}
