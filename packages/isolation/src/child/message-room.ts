/**
 * How many messages of the handler's thread are on their way to the worker, counted where both threads of the process
 * see it: a handler that logs faster than the worker can write waits, instead of filling the memory with log lines.
 */
const MAX_MESSAGES = 1_000;

export function makeBacklog(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4));
}

/** Called in the handler's thread: waits until there is room for one more message, and takes it. */
export function takeRoom(backlog: Int32Array): void {
  for (let count = Atomics.load(backlog, 0); count >= MAX_MESSAGES; count = Atomics.load(backlog, 0))
    Atomics.wait(backlog, 0, count);
  Atomics.add(backlog, 0, 1);
}

/** Called in the supervisor, once the worker has received one message. */
export function giveRoom(backlog: Int32Array): void {
  Atomics.sub(backlog, 0, 1);
  Atomics.notify(backlog, 0);
}
