package literals_test

// These functions are not used before the suite is rewritten.
var _, _, _ = checkedTest, checkedParallelTest, checkedUnitTest
