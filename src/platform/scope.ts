export type Environment = 'test' | 'live'

/** What all data belongs to. Every statement names both. */
export type Scope = { spaceId: string; environment: Environment }
