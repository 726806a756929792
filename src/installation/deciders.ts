/** An operator who decides over the API is recorded as anybody who does. */
export { deciderOf, emailOf as operatorOf } from '../spaces/deciders.ts'
