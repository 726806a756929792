export type Environment = 'test' | 'live'
export const isEnvironment = (text: unknown): text is Environment => text === 'test' || text === 'live'

/** What all data belongs to. Every statement names both. */
export type Scope = { spaceId: string; environment: Environment }
