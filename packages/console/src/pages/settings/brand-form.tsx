import { useState } from 'preact/hooks'
import { useCurrentSpace } from '../../api/scope.tsx'
import { Field } from '../../parts/field.tsx'
import { PhoneField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { smallPng } from './picture.ts'
import { Preview, readColor, type ShownBrand } from './preview.tsx'
import { SettingsForm, type SettingsFormProps, type SpaceSettings, useChange } from './settings-form.tsx'
import { useTexts } from './texts.ts'

type TextName = Exclude<keyof SpaceSettings['brand'], 'logo'>

/** The form for branding, with a preview of the page that payers see. */
export function BrandForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts()
  const { space } = useCurrentSpace()
  const send = useChange()
  const [shown, setShown] = useState<ShownBrand>(() => previewOf(settings))
  const [logo, setLogo] = useState<string | null>()
  const read = (form: FormReader) => {
    const color = form.textOrNull('color')
    const hex = color === null ? null : readColor(color)
    if (hex === undefined) form.refuse('color', t.notAColor)
    return {
      brand: {
        name: form.textOrNull('name'),
        color: hex ?? null,
        supportEmail: form.textOrNull('supportEmail'),
        supportPhone: form.textOrNull('supportPhone'),
        termsUrl: form.textOrNull('termsUrl'),
        address: form.textOrNull('address'),
        taxNumber: form.textOrNull('taxNumber'),
        ...(logo !== undefined && { logo }),
      },
    }
  }
  const follow = ({ text }: FormReader) =>
    setShown((before) => ({
      ...before,
      name: text('name'),
      color: text('color'),
      supportEmail: text('supportEmail'),
      supportPhone: text('supportPhone'),
      termsUrl: text('termsUrl'),
    }))
  const choose = (picture: string | null) => {
    setLogo(picture)
    setShown((before) => ({ ...before, logo: picture }))
  }
  const { brand } = settings
  const fieldOf = (name: TextName) => ({ name, at: `brand.${name}`, initial: brand[name] ?? '' })
  return (
    <div class="beside">
      <SettingsForm isFixed={isFixed} send={send} read={read} onInput={follow}>
        <TextField {...fieldOf('name')} label={t.name} hint={t.nameHint(space.name)} max={100} />
        <TextField {...fieldOf('color')} label={t.color} hint={t.colorHint} max={7} />
        <LogoField hasLogo={shown.logo !== null} onChoose={choose} />
        <TextField {...fieldOf('supportEmail')} label={t.supportEmail} max={254} />
        <PhoneField {...fieldOf('supportPhone')} label={t.supportPhone} />
        <TextField {...fieldOf('termsUrl')} type="url" label={t.termsUrl} max={255} />
        <TextField {...fieldOf('address')} label={t.address} hint={t.identityHint} max={200} />
        <TextField {...fieldOf('taxNumber')} label={t.taxNumber} max={40} />
      </SettingsForm>
      <Preview {...shown} />
    </div>
  )
}

const previewOf = ({ brand, logoUrl }: SettingsFormProps['settings']): ShownBrand => ({
  name: brand.name ?? '',
  color: brand.color ?? '',
  // Only the path is used, so that the logo loads from the same origin as this page.
  logo: logoUrl && new URL(logoUrl).pathname,
  supportEmail: brand.supportEmail ?? '',
  supportPhone: brand.supportPhone ?? '',
  termsUrl: brand.termsUrl ?? '',
})

type LogoProps = { hasLogo: boolean; onChoose(picture: string | null): void }

function LogoField({ hasLogo, onChoose }: LogoProps) {
  const t = useTexts()
  const [isUnreadable, setUnreadable] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file) return
    try {
      onChoose(await smallPng(file))
      setUnreadable(false)
    } catch {
      setUnreadable(true)
    }
  }
  return (
    <>
      <Field
        at="brand.logo"
        label={t.logo}
        hint={t.logoHint}
        issue={isUnreadable ? t.notAPicture : undefined}
      >
        {(controls) => (
          <input
            {...controls}
            type="file"
            accept="image/*"
            onChange={(event) => void choose(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      {hasLogo && (
        <button type="button" class="quiet" onClick={() => onChoose(null)}>
          {t.removeLogo}
        </button>
      )}
    </>
  )
}
