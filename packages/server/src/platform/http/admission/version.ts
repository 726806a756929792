/** API releases, newest first. Breaking changes are made only in a new release, and older releases keep working. */
const releases = [{ name: 'baobab', date: '2026-11-21', deprecated: false }] as const

const versionId = (release: { name: string; date: string }) => `${release.name}.${release.date}`
export const currentRelease = releases[0]
export const currentVersion = versionId(currentRelease)
export const knownVersions: readonly string[] = releases.map(versionId)
