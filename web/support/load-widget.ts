import type { ApplicationInfo } from '#contract/accounts.ts';
import { reportError } from '../errors/report.ts';
import type { WidgetData } from './widget-data.ts';

declare global {
  interface Window {
    /** Read by the widget's script when it starts. Each later change is announced by the event `tidings-support-data`. */
    tidingsSupportData?: WidgetData;
  }
}

/** Hands the data to the configured script, which is loaded once. If the script fails to load, or has changed, only a report is sent. */
export const handToWidget = (
  { url, integrity, onPatientPages }: NonNullable<ApplicationInfo['features']['supportWidget']>,
  data: WidgetData,
): void => {
  window.tidingsSupportData = data;
  window.dispatchEvent(new CustomEvent('tidings-support-data', { detail: data }));
  if (document.querySelector('script[data-support-widget]')) return;
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  script.integrity = integrity;
  script.crossOrigin = 'anonymous';
  script.dataset.supportWidget = onPatientPages ? 'everywhere' : 'confined';
  script.onerror = () => reportError('third_party_application', 'The support widget was not loaded');
  document.head.append(script);
};
