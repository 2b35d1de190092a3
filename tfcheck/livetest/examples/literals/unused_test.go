package literals_test

// Before the suite is rewritten, nothing calls them.
var _, _, _ = checkedTest, checkedParallelTest, checkedUnitTest
