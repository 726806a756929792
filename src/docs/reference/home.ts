/** Whether an object belongs to a resource: `CheckoutSession` to the page `Checkout sessions`. Others return it as well. */
export const isHome = (title: string, object: string) =>
  title.replaceAll(' ', '').toLowerCase().startsWith(object.toLowerCase())
