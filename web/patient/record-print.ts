import { useEffect } from 'react';
import { call } from '../api/call.ts';
import { showToast } from '../ui/toasts.tsx';

/** Records who was printed, by the button or by the browser's own command. `patientIds`: whom the print-out shows. */
export const useRecordedPrint = (patientIds: readonly string[]): void => {
  const ids = patientIds.join();
  useEffect(() => {
    const record = (): void => {
      if (!ids) return;
      call('POST /api/prints', { body: { patientIds: ids.split(',') } }).catch(() =>
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
