import { setFlagsFromString } from 'node:v8'

/**
 * Turns V8's first two compilers' worker threads on or off. Node joins these threads on exit. One may then need
 * memory that only a garbage collection frees, which the main thread would start and which waits for the
 * thread, so the process never ends (nodejs/node#54918 and #64274). Processes about to exit therefore turn them
 * off. The optimizing compiler stays on; it was never seen to cause this.
 *
 * See docs/decisions/0003-every-process-ends.md.
 */
export function allowBackgroundCompilers(isAllowed: boolean): void {
  for (const compiler of ['maglev', 'concurrent-sparkplug'])
    setFlagsFromString(`--${isAllowed ? '' : 'no-'}${compiler}`)
}
