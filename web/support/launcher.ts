/** The id of the navigation item that opens the product-updates widget. */
export const LAUNCHER_ID = 'product-updates';
