/** What only an installation with a support widget loads. */
export { handToWidget } from './load-widget.ts';
export { widgetData } from './widget-data.ts';
