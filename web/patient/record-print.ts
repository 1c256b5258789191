import { useEffect } from 'react';
import { LARGEST_PAGE_SIZE } from '#contract/constants.ts';
import { call } from '../api/call.ts';
import { showToast } from '../ui/toasts.tsx';

/** Records who was printed, by the button or by the browser's own command. `patientIds`: whom the print-out shows. */
export const useRecordedPrint = (patientIds: readonly string[]): void => {
  const ids = patientIds.join();
  useEffect(() => {
    const record = (): void => {
      if (!ids) return;
      const all = ids.split(',');
      const parts = Array.from({ length: Math.ceil(all.length / LARGEST_PAGE_SIZE) }, (_, part) =>
        all.slice(part * LARGEST_PAGE_SIZE, (part + 1) * LARGEST_PAGE_SIZE),
      );
      Promise.all(parts.map((patientIds) => call('POST /api/prints', { body: { patientIds } }))).catch(() =>
        showToast({
          type: 'warning',
          message: "The print-out couldn't be recorded. Tell your administrator that you printed it.",
        }),
      );
    };
    window.addEventListener('beforeprint', record);
    return () => window.removeEventListener('beforeprint', record);
  }, [ids]);
};
