import { setFlagsFromString } from 'node:v8'

/**
 * Whether V8's first two compilers may work in threads of their own. Node joins these when it ends. One of them may then need
 * memory that only a garbage collection frees, which the main thread would begin, and that waits for the thread: the process
 * never ends (nodejs/node#54918 and #64274). So they are off in whatever is about to end. V8's optimising compiler goes on,
 * and was not seen to do this.
 */
export function allowBackgroundCompilers(isAllowed: boolean): void {
  for (const compiler of ['maglev', 'concurrent-sparkplug'])
    setFlagsFromString(`--${isAllowed ? '' : 'no-'}${compiler}`)
}
