import type { ComponentChildren } from 'preact'
import { Time } from '../text/format.tsx'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'

const texts = inLanguages({ next: 'Next' }, { next: 'Étape suivante' })

/** An entry in a timeline. `kind` is its CSS class; the classes `good` and `bad` are highlighted. */
type TimelineEntry = { key: string; time: string; kind: string; sentence: ComponentChildren }
type NextStep = { sentence: ComponentChildren; time?: string | null }

/** Shows a history, oldest entry first. The next step and its time are shown above it. */
export function Timeline({ entries, next }: { entries: TimelineEntry[]; next?: NextStep | undefined }) {
  const t = useTexts(texts)
  return (
    <div class="timeline">
      {next && (
        <p class="next">
          <strong>{t.next}</strong> {next.sentence} {next.time && <Time at={next.time} />}
        </p>
      )}
      <ol>
        {entries.map(({ key, time, kind, sentence }) => (
          <li key={key} class={kind}>
            <Time at={time} />
            <div>{sentence}</div>
          </li>
        ))}
      </ol>
    </div>
  )
}
