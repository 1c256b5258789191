import { createContext, useContext } from 'react';

/** Whom the page is about, in words: a form that covers the banner says it too. Null on pages about several patients. */
export const ShownPatient = createContext<string | null>(null);

export const useShownPatient = (): string | null => useContext(ShownPatient);
