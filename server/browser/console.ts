import { enableCopyButtons } from './copy-buttons.js';
import { enableSendingHere } from './first-request.js';
import { enableLiveRegion } from './live.js';
import { enablePlaygroundPage } from './playground.js';
import { enableReference } from './reference.js';
import { startTokenCountdown } from './token-countdown.js';

enableCopyButtons();
startTokenCountdown();
enableReference();
enablePlaygroundPage();
enableLiveRegion();
enableSendingHere();
