import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCurrentSpace } from '../../api/scope.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { useTexts } from './texts.ts'

/** The branding to show. `logo` is an unsaved logo, or empty for none; undefined for the saved one. */
type ShownBrand = {
  name: string
  color: string
  supportEmail: string
  supportPhone: string
  termsUrl: string
  logo: string | undefined
}

const typingMs = 400

type Shown = { key: string; fields: Record<string, string> }

/**
 * A preview of the page that payers see: the real page, with the branding that the user has entered. It is loaded
 * again when the user pauses typing. The previous page is shown until the next one has loaded.
 */
export function Preview({ brand: { logo, ...texts } }: { brand: ShownBrand }) {
  const t = useTexts()
  const { language } = useLanguage()
  const [state, setState] = useState('choose')
  const [scheme, setScheme] = useState('light')
  const [frames, setFrames] = useState<Shown[]>([])
  const look = { order: t.previewOrder, state, scheme, language }
  const fields = { ...texts, ...(logo !== undefined && { logo }), ...look }
  const key = JSON.stringify(fields)
  useEffect(() => {
    const show = () =>
      setFrames(([first]) =>
        first && first.key !== key ? [first, { key, fields }] : [first ?? { key, fields }],
      )
    const timer = setTimeout(show, frames.length > 0 ? typingMs : 0)
    return () => clearTimeout(timer)
  }, [key])
  return (
    <figure class="preview">
      <figcaption>{t.preview}</figcaption>
      <div class="looks">
        <Choice label={t.previewState} choices={t.previewStates} chosen={state} choose={setState} />
        <Choice label={t.scheme} choices={t.schemes} chosen={scheme} choose={setScheme} />
      </div>
      <div class="phone">
        {frames.map((shown) => (
          <Frame
            key={shown.key}
            fields={shown.fields}
            onLoad={() => setFrames((all) => all.slice(all.findIndex((each) => each.key === shown.key)))}
          />
        ))}
      </div>
    </figure>
  )
}

type ChoiceProps = {
  label: string
  /** Labels of the choices by value. */
  choices: Record<string, string>
  chosen: string
  choose(value: string): void
}

function Choice({ label, choices, chosen, choose }: ChoiceProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers add space inside a fieldset
    <div class="switch" role="group" aria-label={label}>
      {Object.entries(choices).map(([value, words]) => (
        <button
          type="button"
          class="small"
          key={value}
          aria-pressed={value === chosen}
          onClick={() => choose(value)}
        >
          {words}
        </button>
      ))}
    </div>
  )
}

/**
 * A page in a frame. Each page gets a new frame, because otherwise the browser's Back button would lead through all
 * previews. Nothing in the frame works: it is sandboxed, and its links lead nowhere.
 */
function Frame({ fields, onLoad }: { fields: Shown['fields']; onLoad(): void }) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const name = useId()
  const isPosted = useRef(false)
  useLayoutEffect(() => {
    postTo(name, `/previews/${scope.spaceId}/${scope.environment}`, fields)
    isPosted.current = true
  }, [])
  return <iframe name={name} title={t.preview} sandbox="" onLoad={() => isPosted.current && onLoad()} />
}

/** Posts a form into a frame. */
function postTo(target: string, action: string, fields: Shown['fields']): void {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', target, action, hidden: true })
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
