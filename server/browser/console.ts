import { enableChartValues } from './chart-values.js';
import { enableCopyButtons } from './copy-buttons.js';
import { enableSendingHere } from './first-request.js';
import { enableLiveRegion } from './live.js';
import { enableOperationPage } from './operation-form.js';
import { startTokenCountdown } from './token-countdown.js';

enableCopyButtons();
enableChartValues();
startTokenCountdown();
enableOperationPage();
enableLiveRegion();
enableSendingHere();
