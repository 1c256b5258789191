/** Loaded only by installations with a support widget. */
export { handToWidget } from './load-widget.ts';
export { widgetData } from './widget-data.ts';
