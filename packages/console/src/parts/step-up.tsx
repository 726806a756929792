import { useEffect, useState } from 'preact/hooks'
import { registerStepUp } from '../api/client.ts'
import { Boundary, lazyComponent } from './code-loading.tsx'

const loadDialog = () => import('./step-up-dialog.tsx')

type Pending = { resolve(isFresh: boolean): void }

/**
 * Asks the user to confirm their identity, once for all pending calls that require it. The calls are then sent
 * again unchanged.
 */
export function StepUp() {
  const [pending, setPending] = useState<Pending>()
  useEffect(() => {
    let waiting: Promise<boolean> | undefined
    return registerStepUp(() => {
      waiting ??= new Promise<boolean>((resolve) => setPending({ resolve })).finally(() => {
        waiting = undefined
        setPending(undefined)
      })
      return waiting
    })
  }, [])
  if (!pending) return null
  const StepUpDialog = lazyComponent(loadDialog, null)
  return (
    <Boundary>
      <StepUpDialog onEnd={pending.resolve} />
    </Boundary>
  )
}
