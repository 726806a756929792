import { Eta } from 'eta'

// Escaping is eta's default too; it is named here because what the pages show depends on it.
const eta = new Eta({ views: import.meta.dirname, cache: true, autoEscape: true })

/** A template of this folder, filled in. */
export const renderTemplate = (name: string, view: object): string => eta.render(`./${name}`, view)
