import { setFlagsFromString } from 'node:v8'

/**
 * Turns the worker threads of V8's first two compilers on or off. Node joins these threads when it exits. If
 * one of them then needs memory that only a garbage collection can free, the process never exits: the main
 * thread would have to start the collection, but it is waiting for that thread (nodejs/node#54918 and #64274).
 * A process that is about to exit therefore turns the threads off. The optimizing compiler stays on, because it
 * has never been seen to cause this.
 *
 * See docs/decisions/0003-every-process-ends.md.
 */
export function allowBackgroundCompilers(isAllowed: boolean): void {
  for (const compiler of ['maglev', 'concurrent-sparkplug'])
    setFlagsFromString(`--${isAllowed ? '' : 'no-'}${compiler}`)
}
