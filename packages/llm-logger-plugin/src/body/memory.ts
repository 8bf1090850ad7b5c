/**
 * Memory for bodies and lines under way, used again and again. Fresh memory costs a page fault every 4 kB, which for a
 * long stream is more than all that is done with its bytes. Whoever takes memory gives it back when nobody reads it any
 * more; memory that is never given back is collected as any other.
 */
const SMALLEST = 16 * 1024;
/** Each size is this much larger than the one before it: growing copies a third of the whole at most. */
const STEP = 4;
/** Larger memory is rare and goes back to the system. */
const LARGEST = 1024 * 1024;
/** Memory that lies idle, at most. */
const MAX_IDLE_BYTES = 8 * 1024 * 1024;

const idle = new Map<number, Buffer[]>();
let idleBytes = 0;

/** At least `bytes` bytes, with whatever they held before. */
export function takeMemory(bytes: number): Buffer {
  let size = SMALLEST;
  while (size < bytes && size < LARGEST) size *= STEP;
  if (size < bytes) return Buffer.allocUnsafeSlow(2 * bytes);
  const used = idle.get(size)?.pop();
  if (used) {
    idleBytes -= size;
    return used;
  }
  return Buffer.allocUnsafeSlow(size);
}

/** Gives memory back. The caller, and everybody who got a view of it from him, must not touch it again. */
export function giveBack(memory: Buffer): void {
  const size = memory.length;
  if (size > LARGEST || idleBytes + size > MAX_IDLE_BYTES) return;
  const others = idle.get(size);
  if (others) others.push(memory);
  else idle.set(size, [memory]);
  idleBytes += size;
}

/** Larger memory with the first `kept` bytes of the old one, which is given back. */
export function growMemory(memory: Buffer, kept: number, bytes: number): Buffer {
  const larger = takeMemory(bytes);
  memory.copy(larger, 0, 0, kept);
  giveBack(memory);
  return larger;
}
