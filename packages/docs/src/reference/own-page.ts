/**
 * Returns whether an object belongs to the page of a resource: `CheckoutSession` belongs to `Checkout
 * sessions`. Other pages may show the object, too.
 */
export const isOwnPage = (title: string, object: string) =>
  title.replaceAll(' ', '').toLowerCase().startsWith(object.toLowerCase())
