import validateLinks from 'remark-validate-links'

// Only links within the repository: nothing is fetched, and no host of it is known.
export default { plugins: [[validateLinks, { repository: false }]] }
