/** TypeScript does not know this method of ECMAScript yet. */
type Region = Intl.Locale & { getTimeZones(): string[] | undefined }

/** To ask for one takes as long as to render a page; there are only so many countries. */
const known = new Map<string, string>()

/** The time by which all of a country lives, or UTC: for an unknown country, and for one that spans several zones. */
export function timeZoneOf(country: string): string {
  let zone = known.get(country)
  if (zone === undefined) {
    zone = onlyZoneOf(country)
    known.set(country, zone)
  }
  return zone
}

function onlyZoneOf(country: string): string {
  const zones = (new Intl.Locale('und', { region: country }) as Region).getTimeZones() ?? []
  const [only] = zones.length === 1 ? zones : []
  return only ?? 'UTC'
}
