import { colorsOf, contrast, defaultBrand } from '@pesewa/pages/colors'
import { Field } from '../../parts/field.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { typeInto } from './draft.ts'
import { useTexts } from './texts.ts'
import { readColor } from './values.ts'

type Props = {
  name: string
  at: string
  initial: string
  /** The text that the field contains now. */
  typed: string
  /** Colors to choose from. */
  palette: string[]
}

/** A field for a color, as text or with the browser's color picker, which says how legible the color is. */
export function ColorField({ name, at, initial, typed, palette }: Props) {
  const t = useTexts()
  const color = readColor(typed)
  return (
    <>
      <Field {...{ name, at }} label={t.color} hint={t.colorHint}>
        {(controls) => (
          <span class="together">
            <input
              class="picker"
              type="color"
              aria-label={t.pickColor}
              value={color ?? defaultBrand}
              onInput={({ currentTarget }) => typeInto(currentTarget, name, currentTarget.value)}
            />
            <input {...controls} type="text" maxLength={7} autoComplete="off" defaultValue={initial} />
          </span>
        )}
      </Field>
      {palette.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: browsers add space inside a fieldset
        <div class="palette" role="group" aria-label={t.logoColors}>
          <span class="muted">{t.logoColors}</span>
          {palette.map((each) => (
            <button
              type="button"
              key={each}
              class="swatch"
              style={{ background: each }}
              aria-label={each}
              aria-pressed={each === color}
              onClick={({ currentTarget }) => typeInto(currentTarget, name, each)}
            />
          ))}
        </div>
      )}
      {color && <Verdict color={color} />}
    </>
  )
}

/** Says which text the payment page puts on the color, and whether it uses another shade for text in this color. */
function Verdict({ color }: { color: string }) {
  const t = useTexts()
  const { language } = useLanguage()
  const { brand, onBrand, brandText } = colorsOf(color)
  const ratio = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  }).format(contrast(onBrand, brand))
  return (
    <p class="verdict">
      <span class="sample" style={{ background: brand, color: onBrand }} aria-hidden="true">
        Aa
      </span>
      <span class="muted">
        {onBrand === '#ffffff' ? t.whiteText(ratio) : t.blackText(ratio)}{' '}
        {brandText === brand ? t.legible : t.darkened(brandText)}
      </span>
    </p>
  )
}
