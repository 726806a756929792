import { useState } from 'preact/hooks'
import { issueAt } from '../../api/errors.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { Field, TextField } from '../../parts/form.tsx'
import { countries } from '../../text/countries.ts'
import { useTexts } from '../../text/languages.tsx'
import { smallPng } from './picture.ts'
import { Preview, readColor, type ShownBrand } from './preview.tsx'
import { SettingsForm, type SettingsFormProps, useChange } from './settings-form.tsx'
import { texts } from './texts.ts'

/** The form for branding, with a preview of the page that payers see. */
export function BrandForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts(texts)
  const { space } = useCurrentSpace()
  const send = useChange()
  const [shown, setShown] = useState<ShownBrand>(() => previewOf(settings))
  const [hasBadColor, setBadColor] = useState(false)
  const [logo, setLogo] = useState<string | null>()
  const read = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim() || null
    const color = text('color')
    const isBad = color !== null && readColor(color) === undefined
    setBadColor(isBad)
    if (isBad) return undefined
    return {
      brand: {
        name: text('name'),
        color: color && (readColor(color) ?? null),
        supportEmail: text('supportEmail'),
        supportPhone: text('supportPhone'),
        termsUrl: text('termsUrl'),
        ...(logo !== undefined && { logo }),
      },
    }
  }
  const follow = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    setShown((before) => ({
      ...before,
      name: text('name'),
      color: text('color'),
      supportEmail: text('supportEmail'),
      supportPhone: text('supportPhone'),
      termsUrl: text('termsUrl'),
    }))
  }
  const choose = (picture: string | null) => {
    setLogo(picture)
    setShown((before) => ({ ...before, logo: picture }))
  }
  const { brand } = settings
  const issueOf = (name: string) => issueAt(send.error, `brand.${name}`)
  return (
    <div class="beside">
      <SettingsForm isFixed={isFixed} send={send} read={read} onInput={follow}>
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint(space.name)}
          max={100}
          initial={brand.name ?? ''}
          issue={issueOf('name')}
        />
        <TextField
          name="color"
          label={t.color}
          hint={t.colorHint}
          max={7}
          initial={brand.color ?? ''}
          issue={hasBadColor ? t.notAColor : issueOf('color')}
        />
        <LogoField hasLogo={shown.logo !== null} onChoose={choose} issue={issueOf('logo')} />
        <TextField
          name="supportEmail"
          label={t.supportEmail}
          max={254}
          initial={brand.supportEmail ?? ''}
          issue={issueOf('supportEmail')}
        />
        <TextField
          name="supportPhone"
          type="tel"
          label={t.supportPhone}
          hint={t.phoneHint(countries[space.country]?.example ?? '')}
          max={32}
          initial={brand.supportPhone ?? ''}
          issue={issueOf('supportPhone')}
        />
        <TextField
          name="termsUrl"
          type="url"
          label={t.termsUrl}
          max={255}
          initial={brand.termsUrl ?? ''}
          issue={issueOf('termsUrl')}
        />
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

type LogoProps = {
  hasLogo: boolean
  onChoose(picture: string | null): void
  issue: string | undefined
}

function LogoField({ hasLogo, onChoose, issue }: LogoProps) {
  const t = useTexts(texts)
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
      <Field label={t.logo} hint={t.logoHint} issue={isUnreadable ? t.notAPicture : issue}>
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
