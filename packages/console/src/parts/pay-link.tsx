import type { ComponentChildren } from 'preact'
import { createTexts } from '../text/languages.tsx'
import { useWords } from '../text/words.ts'
import { CopyText } from './copy.tsx'
import { QrCode } from './lazy-qr-code.tsx'
import { Section } from './page.tsx'
import './pay-link.css'

const useTexts = createTexts({ print: 'Print', poster: 'Poster' }, { print: 'Imprimer', poster: 'Affiche' })

type Props = {
  url: string
  name: string
  /** Text that explains how the link is used. */
  hint: string
  /** What is printed above the link. */
  printed: ComponentChildren
  /** A page made for printing. By default, this section itself can be printed. */
  posterUrl?: string
  /** Text below the link. */
  note?: string | false
}

/** The link that payers open, with its QR code and buttons to copy, preview and print it. */
export function PayLink({ url, name, hint, printed, posterUrl, note }: Props) {
  const w = useTexts()
  const t = useWords()
  return (
    <Section title={t.link}>
      <p class="muted unprinted">{hint}</p>
      <div class="card pay-link">
        <QrCode text={url} label={t.qr(name)} />
        <div>
          <p class="printed">{printed}</p>
          <CopyText text={url} />
          <div class="actions unprinted">
            <a class="button" href={url} target="_blank" rel="noopener noreferrer">
              {t.preview}
            </a>
            {posterUrl ? (
              <a class="button" href={posterUrl} target="_blank" rel="noopener noreferrer">
                {w.poster}
              </a>
            ) : (
              <button type="button" class="quiet" onClick={() => print()}>
                {w.print}
              </button>
            )}
          </div>
          {note && <p class="muted unprinted">{note}</p>}
        </div>
      </div>
    </Section>
  )
}
