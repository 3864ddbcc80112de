import { enableChartValues } from './chart-values.js';
import { enableCopyButtons } from './copy-buttons.js';
import { enableSendingHere } from './first-request.js';
import { enableLiveRegion } from './live.js';
import { showLocalTimes } from './local-times.js';
import { enableOperationPage } from './operation-form.js';
import { enableRevealing } from './passwords.js';
import { startTokenCountdown } from './token-countdown.js';

enableCopyButtons();
enableRevealing();
showLocalTimes();
enableChartValues();
startTokenCountdown();
enableOperationPage();
enableLiveRegion();
enableSendingHere();
