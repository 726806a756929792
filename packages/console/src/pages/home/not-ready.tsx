import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import type { Step } from '../go-live/steps.ts'
import { useTexts } from './texts.ts'

/** Says that the live environment is not ready, and leads to what is missing. */
export function NotReady({ steps }: { steps: Step[] }) {
  const t = useTexts()
  const isConnected = steps.some(({ name, isDone }) => name === 'provider' && isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section title={t.goLive}>
      <div class={isConnected ? 'notice' : 'notice bad'}>
        <p>
          <strong>{isConnected ? t.almostReady : t.notReady}</strong> {t.stepsDone(done, steps.length)}
        </p>
        <p>
          <PageLink to="/go-live">{t.toGoLive}</PageLink>
        </p>
      </div>
    </Section>
  )
}
