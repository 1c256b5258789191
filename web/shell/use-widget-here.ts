import { useQuery } from '@tanstack/react-query';
import type { ApplicationInfo } from '#contract/accounts.ts';
import { useLocation } from '../router/hooks.ts';
import { applicationInfoQuery } from '../session/queries.ts';
import { maySeePatients } from '../support/patient-pages.ts';

/** Returns the support widget if there is one and this page may load it; null otherwise. */
export const useWidgetHere = (): ApplicationInfo['features']['supportWidget'] => {
  const { data: info } = useQuery(applicationInfoQuery);
  const pathname = useLocation({ select: (location) => location.pathname });
  const widget = info?.features.supportWidget ?? null;
  return widget && (widget.onPatientPages || !maySeePatients(pathname)) ? widget : null;
};
