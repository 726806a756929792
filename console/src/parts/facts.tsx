import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'

/** What is known of something, as pairs; what is empty is left out. */
export function Facts({ of }: { of: [label: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const texts = inLanguages({ copy: 'Copy', copied: 'Copied' }, { copy: 'Copier', copied: 'Copié' })

/** An id, a link or a code, and a way to take it along. */
export function CopyText({ text }: { text: string }) {
  const t = useTexts(texts)
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLElement>(null)
  const copy = async () => {
    // Only secure pages have a clipboard: elsewhere it is marked, for the keyboard or the thumb.
    if (!navigator.clipboard) {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      return
    }
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <span class="copy">
      <code ref={shown}>{text}</code>
      <button type="button" class="quiet small" onClick={() => void copy()}>
        {isCopied ? t.copied : t.copy} <span class="unseen">{text}</span>
      </button>
    </span>
  )
}
