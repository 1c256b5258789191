import { onForget } from '../ui/forget.ts';

/** The username that was typed on the previous page. In memory, because the address and the history of the browser outlive the user. */
let typed = '';
onForget(() => {
  typed = '';
});

export const keepUsername = (username: string): void => {
  typed = username;
};
export const keptUsername = (): string => typed;
