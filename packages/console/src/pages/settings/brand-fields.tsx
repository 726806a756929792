import { useCurrentSpace } from '../../api/scope.tsx'
import { PhoneField, TextField } from '../../parts/form.tsx'
import { ColorField } from './color-field.tsx'
import type { Values } from './draft.ts'
import { LogoField } from './logo-field.tsx'
import { useTexts } from './texts.ts'
import type { BrandText, SpaceSettings } from './values.ts'

type Props = {
  settings: SpaceSettings
  isFixed: boolean
  typed: Values
  /** The logo that is shown: a path, an unsaved logo as a `data:` URL, or none. */
  logo: string | null
  palette: string[]
  onLogo(png: string | null): void
  onPalette(colors: string[]): void
}

export function BrandFields(props: Props) {
  const { settings, isFixed, typed, logo, palette, onLogo, onPalette } = props
  const t = useTexts()
  const { space } = useCurrentSpace()
  const fieldOf = (name: BrandText) => ({ name, at: `brand.${name}`, initial: settings.brand[name] ?? '' })
  return (
    <>
      <TextField {...fieldOf('name')} label={t.name} hint={t.nameHint(space.name)} max={100} />
      <LogoField src={logo} isFixed={isFixed} onChoose={onLogo} onPalette={onPalette} />
      <ColorField {...fieldOf('color')} typed={typed.color ?? ''} palette={palette} />
      <TextField {...fieldOf('supportEmail')} label={t.supportEmail} max={254} />
      <PhoneField {...fieldOf('supportPhone')} label={t.supportPhone} />
      <TextField {...fieldOf('termsUrl')} type="url" label={t.termsUrl} max={255} />
      <TextField {...fieldOf('address')} label={t.address} hint={t.identityHint} max={200} />
      <TextField {...fieldOf('taxNumber')} label={t.taxNumber} max={40} />
    </>
  )
}
