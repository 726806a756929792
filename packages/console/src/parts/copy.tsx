import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { createTexts } from '../text/languages.tsx'

const useTexts = createTexts({ copy: 'Copy', copied: 'Copied' }, { copy: 'Copier', copied: 'Copié' })

/** An ID, link or code with a copy button. */
export function CopyText({ text }: { text: string }) {
  const shown = useRef<HTMLElement>(null)
  return (
    <span class="copy">
      <code ref={shown}>{text}</code>
      <CopyButton text={text} shown={shown} about={text} class="quiet small" />
    </span>
  )
}

type CopyButtonProps = {
  text: string
  /** The element that shows the text. */
  shown: RefObject<HTMLElement>
  /** Description of the copied text for screen readers. */
  about: string
  class: string
  /** Label of the button: by default, “Copy”. */
  label?: string
}

export function CopyButton({ text, shown, about, class: className, label }: CopyButtonProps) {
  const t = useTexts()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    // The clipboard is not available in insecure contexts, so the text is selected for the user to copy.
    if (!navigator.clipboard) {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      return
    }
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 2_000)
  }
  return (
    <button type="button" class={className} onClick={() => void copy()}>
      {isCopied ? t.copied : (label ?? t.copy)} <span class="unseen">{about}</span>
    </button>
  )
}
