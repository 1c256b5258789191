/** What libraries have to know about the page's Content-Security-Policy (docs/security.md, "Requests"). */

/** The page's nonce, without which no style element applies; empty where the page has no policy. */
export const styleNonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

Object.assign(globalThis, {
  // Mantine's dialogs lock scrolling with a style element of get-nonce, which reads the nonce here.
  __webpack_nonce__: styleNonce,
  // Otherwise zod tries whether it may compile code, which the policy forbids and reports.
  __zod_globalConfig: { jitless: true },
});
