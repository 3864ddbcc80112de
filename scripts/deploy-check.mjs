import './check-node.mjs';
import '../test/deploy/run.mjs';
