/** The page's nonce, without which no style element applies (docs/security.md, "Requests"); empty where the page has no policy. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Mantine's dialogs lock scrolling with a style element of get-nonce, which reads the nonce here. */
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
