/** The action of the audit entries about archived months. */
export const archiveAction = 'space.archive'
