import { createStore } from '../ui/store.ts';

/** Ends the question that is on the screen; null while there is none. */
const question = createStore<((isConfirmed: boolean) => void) | null>(null);
let pending: Promise<boolean> | null = null;

/** Asks who is at the keyboard (`shell/confirm-identity.tsx`) and returns whether they confirmed it. Calls that ask at the same time share the question. */
export const confirmIdentity = (): Promise<boolean> => {
  pending ??= new Promise<boolean>((resolve) => {
    question.set((isConfirmed) => {
      question.set(null);
      pending = null;
      resolve(isConfirmed);
    });
  });
  return pending;
};
export const useIdentityQuestion = question.use;
