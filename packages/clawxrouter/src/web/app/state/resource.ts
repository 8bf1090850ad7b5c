import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Resource<T> {
  /** The last answer; kept while a newer one is fetched. */
  data: T | undefined;
  fault: unknown;
  loading: boolean;
  reload: () => void;
  /** Puts a change in before the gateway says so itself. */
  set: (change: (data: T) => T) => void;
}

/**
 * Fetches something, again whenever `key` changes. An answer that comes late for an older key is dropped.
 * @param key what the answer depends on, as text
 */
export function useResource<T>(load: (signal: AbortSignal) => Promise<T>, key: string): Resource<T> {
  const [state, setState] = useState<{ data: T | undefined; fault: unknown; loading: boolean }>({
    data: undefined,
    fault: undefined,
    loading: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const abort = new AbortController();
    setState((old) => ({ ...old, loading: true }));
    latest.current(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ data, fault: undefined, loading: false });
      },
      (fault: unknown) => {
        if (!abort.signal.aborted) setState((old) => ({ ...old, fault, loading: false }));
      },
    );
    return () => abort.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((old) => old + 1), []);
  const set = useCallback(
    (change: (data: T) => T) =>
      setState((old) => (old.data === undefined ? old : { ...old, data: change(old.data) })),
    [],
  );
  return { ...state, reload, set };
}
